"""The parser shares the objects of contexts and operators: what a script keeps in one, later trees have."""
import ast

ast.parse("a").body[0].value.ctx.kept = 1
print("ESCAPED:parser_shares_its_contexts", ast.parse("b").body[0].value.ctx.kept)
