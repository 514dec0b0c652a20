"""threading gives its new threads a function that is told every frame."""
import threading

seen = []
threading.settrace(lambda frame, event, argument: seen.append(frame.f_globals["__builtins__"]))
thread = threading.Thread(target=lambda: None)
thread.start()
thread.join()
if seen:
    print("ESCAPED:frames_of_a_trace", seen[0])
