// Health check of a container: the process answers requests, even if the database or other parts are down.
const { PORT = '4000', METRICS_PORT } = process.env
const addresses = [
  `http://127.0.0.1:${PORT}/api/health/live`,
  ...(METRICS_PORT ? [`http://127.0.0.1:${METRICS_PORT}/live`] : []),
]
const answers = await Promise.all(
  addresses.map((address) =>
    fetch(address, { signal: AbortSignal.timeout(4_000) }).then(
      ({ ok }) => ok,
      () => false,
    ),
  ),
)
process.exit(answers.includes(true) ? 0 : 1)
