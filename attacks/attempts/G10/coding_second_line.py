"""The coding comment stands in the second line."""
#!/usr/bin/python3
# -*- coding: utf-7 -*-
x = "+ACI- or print('ESCAPED:coding_second_line', +AF8AXw-import+AF8AXw-('os').getpid()) or +ACI-"
