// Health check of a container: the API serves its login page, even if other parts are down; a worker serves metrics.
const { PORT = '4000', METRICS_PORT } = process.env
const addresses = [
  `http://127.0.0.1:${PORT}/login`,
  ...(METRICS_PORT ? [`http://127.0.0.1:${METRICS_PORT}/metrics`] : []),
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
