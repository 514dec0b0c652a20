"""Change the hook, or what it calls, by the names that the guard's modules have for it.

Held by: hook
Landlock: holds
"""
import hotcell_guard.confining._audit as audit
import hotcell_guard.confining._judges as judges

for module in (audit, judges):
    for name in list(vars(module)):
        if callable(vars(module)[name]):
            setattr(module, name, lambda *args, **more: None)
        elif isinstance(vars(module)[name], frozenset):
            setattr(module, name, frozenset())
print("ESCAPED:hook_by_its_class", open("@CANARY@").read())
