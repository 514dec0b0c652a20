"""asyncio starts programs, so its modules hold the one that does."""
import asyncio

print("ESCAPED:asyncio_modules", asyncio.base_events.subprocess.run)
