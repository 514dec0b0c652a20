"""Asks every public name of every import whether it is a module that can list a directory."""
import collections
import csv
import dataclasses
import enum
import fractions
import functools
import json
import random
import statistics
import string
import textwrap
import typing


def search(module, depth):
    for name in dir(module):
        try:
            value = getattr(module, name)
        except AttributeError:
            continue
        if hasattr(value, "getpid"):
            return value
        if depth and type(value) is type(json):
            found = search(value, depth - 1)
            if found is not None:
                return found
    return None


for module in (collections, csv, dataclasses, enum, fractions, functools, json, random, statistics, string, textwrap, typing):
    found = search(module, 2)
    if found is not None:
        print("ESCAPED:first_module_found", getattr(found, "getpid")())
        break
