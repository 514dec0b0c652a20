import pandas as pd, numpy as np
from openpyxl import Workbook, load_workbook
from openpyxl.styles import Font, PatternFill, Alignment, Border, Side
from openpyxl.utils import get_column_letter
from openpyxl.chart import BarChart, Reference
wb = Workbook(); ws = wb.active; ws.title = "Harvest"
ws.append(["Plot", "Apples", "Pears", "Total"])
for i, (p, a, b) in enumerate([("N1", 120, 40), ("N2", 75, 88), ("S1", 210, 15)], start=2):
    ws.append([p, a, b, f"=B{i}+C{i}"])
for c in ws[1]:
    c.font = Font(bold=True, color="FFFFFF"); c.fill = PatternFill("solid", fgColor="335533"); c.alignment = Alignment(horizontal="center"); c.border = Border(bottom=Side(style="thin"))
for col in range(1, 5): ws.column_dimensions[get_column_letter(col)].width = 12
ws.freeze_panes = "A2"; ws["B2"].number_format = "#,##0"
ch = BarChart(); ch.title = "Fruit"; ch.add_data(Reference(ws, min_col=2, max_col=3, min_row=1, max_row=4), titles_from_data=True); ch.set_categories(Reference(ws, min_col=1, min_row=2, max_row=4)); ws.add_chart(ch, "F2")
wb.create_sheet("Notes")["A1"] = "late frost"; wb.save("harvest.xlsx")
back = load_workbook("harvest.xlsx"); print(back.sheetnames, [[c.value for c in r] for r in back["Harvest"].iter_rows(min_row=2)], back["Harvest"].max_row, back["Harvest"]["A1"].font.b)
df = pd.read_excel("harvest.xlsx", sheet_name="Harvest", usecols="A:C", index_col=0); print(df)
with pd.ExcelWriter("summary.xlsx", engine="openpyxl") as xw:
    df.to_excel(xw, sheet_name="raw"); df.describe().round(1).to_excel(xw, sheet_name="stats", startrow=1)
print(pd.read_excel("summary.xlsx", sheet_name=None, index_col=0).keys(), pd.ExcelFile("summary.xlsx").sheet_names)
