const MIN_THREADS = 32;

/**
 * Must be the first import of the process: libuv reads this variable when its threads start, and importing some
 * packages starts them. Half of the threads may be used for name lookups, and each kind of call gets a fifth of that
 * half. With fewer threads, names whose servers do not respond would block the lookups for the database and Redis.
 */
if (!(Number(process.env.UV_THREADPOOL_SIZE) >= MIN_THREADS))
  process.env.UV_THREADPOOL_SIZE = String(MIN_THREADS);
