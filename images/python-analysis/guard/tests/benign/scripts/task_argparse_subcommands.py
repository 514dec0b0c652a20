"""A todo command line with sub-commands, driven by a fixed argument list."""
import argparse
import json
import sys
from pathlib import Path


class Upper(argparse.Action):
    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, values.upper())


def positive(text):
    value = int(text)
    if value <= 0:
        raise argparse.ArgumentTypeError(f"{text} is not positive")
    return value


def build():
    parser = argparse.ArgumentParser(prog="todo", description="Todo list", formatter_class=argparse.RawDescriptionHelpFormatter, epilog="bye")
    parser.add_argument("--file", type=Path, default=Path("todo.json"))
    parser.add_argument("-v", "--verbose", action="count", default=0)
    parser.add_argument("--version", action="version", version="%(prog)s 1.0")
    sub = parser.add_subparsers(dest="command", required=True)
    add = sub.add_parser("add", help="add an item")
    add.add_argument("title", nargs="+")
    add.add_argument("--priority", choices=["low", "high"], default="low")
    add.add_argument("--tag", action=Upper)
    add.set_defaults(func=cmd_add)
    done = sub.add_parser("done")
    done.add_argument("index", type=positive)
    done.set_defaults(func=cmd_done)
    lst = sub.add_parser("list")
    group = lst.add_mutually_exclusive_group()
    group.add_argument("--all", action="store_true")
    group.add_argument("--open", action="store_true")
    lst.set_defaults(func=cmd_list)
    return parser


def load(path):
    return json.loads(path.read_text()) if path.exists() else []


def cmd_add(args):
    items = load(args.file)
    items.append({"title": " ".join(args.title), "priority": args.priority, "tag": args.tag, "done": False})
    args.file.write_text(json.dumps(items, indent=1))


def cmd_done(args):
    items = load(args.file)
    items[args.index - 1]["done"] = True
    args.file.write_text(json.dumps(items))


def cmd_list(args):
    for i, item in enumerate(load(args.file), 1):
        print(f"{i}. [{'x' if item['done'] else ' '}] {item['title']} ({item['priority']}) {item['tag'] or ''}".rstrip())


def main(argv=None):
    args = build().parse_args(argv)
    return args.func(args)


for line in ["add buy milk --tag food", "add call mum --priority high", "done 1", "list --all"]:
    main(line.split())
try:
    main(["done", "-3"])
except SystemExit as e:
    print("exit code", e.code)
try:
    main([])
except SystemExit as e:
    print("exit code", e.code)
print(build().format_usage().strip())
args, rest = argparse.ArgumentParser().parse_known_args(["--x", "1"])
print(args, rest)
print(vars(build().parse_args(["-vv", "list"]))["verbose"])
parser = argparse.ArgumentParser(description="defaults")
parser.add_argument("--n", type=int, default=3, help="number (default: %(default)s)")
print(parser.parse_args().n)
