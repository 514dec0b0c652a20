import argparse
import json
import os
import sys
from datetime import datetime
from pathlib import Path

DB = Path(os.environ.get("INVENTORY_DB", "inventory.json"))


def load() -> dict:
    if not DB.exists():
        return {"items": {}, "log": []}
    with DB.open(encoding="utf-8") as f:
        return json.load(f)


def save(db: dict) -> None:
    tmp = DB.with_suffix(".tmp")
    tmp.write_text(json.dumps(db, indent=2, sort_keys=True), encoding="utf-8")
    os.replace(tmp, DB)


def cmd_add(args, db):
    item = db["items"].setdefault(args.name, {"qty": 0, "price": args.price})
    item["qty"] += args.qty
    print(f"added {args.qty} x {args.name}")


def cmd_remove(args, db):
    try:
        item = db["items"][args.name]
    except KeyError:
        print(f"error: no such item: {args.name}", file=sys.stderr)
        return 1
    if item["qty"] < args.qty:
        print(f"error: only {item['qty']} left", file=sys.stderr)
        return 2
    item["qty"] -= args.qty
    print(f"removed {args.qty} x {args.name}")


def cmd_list(args, db):
    for name in sorted(db["items"], key=lambda n: (-db["items"][n]["qty"], n)):
        item = db["items"][name]
        print(f"{name:<12}{item['qty']:>6}{item['price']:>10.2f}{item['qty'] * item['price']:>12.2f}")


def build_parser():
    parser = argparse.ArgumentParser(prog="inventory", description="Tiny inventory")
    sub = parser.add_subparsers(dest="command", required=True)
    add = sub.add_parser("add", help="add stock")
    add.add_argument("name")
    add.add_argument("-q", "--qty", type=int, default=1)
    add.add_argument("--price", type=float, default=0.0)
    add.set_defaults(func=cmd_add)
    remove = sub.add_parser("remove")
    remove.add_argument("name")
    remove.add_argument("-q", "--qty", type=int, default=1)
    remove.set_defaults(func=cmd_remove)
    sub.add_parser("list").set_defaults(func=cmd_list)
    return parser


def main(argv=None) -> int:
    args = build_parser().parse_args(argv)
    db = load()
    code = args.func(args, db) or 0
    save(db)
    return code


if __name__ == "__main__":
    codes = [main(line.split()) for line in ("add gauze -q 40 --price 0.35", "add gloves -q 100 --price 0.12", "remove gauze -q 15", "remove masks", "remove gloves -q 500", "list")]
    print(codes, DB.stat().st_size > 0, DB.name, DB.suffix, DB.resolve().parent.is_dir())
    try:
        main(["unknown"])
    except SystemExit as e:
        print("exit", e.code)
    DB.unlink(missing_ok=True)
    print(DB.exists())
