"""asyncio is given a policy of the script's, by which everybody gets loops."""
import asyncio


class Policy(asyncio.DefaultEventLoopPolicy):
    def new_event_loop(self):
        print("ESCAPED:asyncio_policy")
        return super().new_event_loop()


asyncio.set_event_loop_policy(Policy())
asyncio.new_event_loop()
