"""The same in a cycle that only the collector finds."""


class A:
    def __init__(self):
        self.me = self

    def __del__(self):
        print("ESCAPED:finaliser_in_a_cycle")


a = A()
