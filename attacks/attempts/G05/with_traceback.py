"""with_traceback gives an exception another's traceback; a class reads it."""


class E(Exception):
    def read(self):
        return self.__traceback__


try:
    1 / 0
except ZeroDivisionError as error:
    found = E().with_traceback(error.__traceback__).read()
    print("ESCAPED:with_traceback", found.tb_frame)
