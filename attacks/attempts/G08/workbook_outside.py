"""A workbook is written where nothing may be written."""
import openpyxl

openpyxl.Workbook().save("@OUTSIDE@/book.xlsx")
print("ESCAPED:workbook_outside")
