import scalar from '@scalar/fastify-api-reference'
import fastify from 'fastify'
import type { Plugin } from 'vite'

const MODULE = 'virtual:api-reference'
const FILE_IN_DEVELOPMENT = '/api-reference.js'

/**
 * Provides `virtual:api-reference`, the URL of the library that renders the API reference, as a separate file. The
 * package for Fastify contains the library in one script, without the 250 packages that it is built from.
 */
export function apiReference(): Plugin {
  let isBuild = true
  return {
    name: 'api-reference',
    configResolved(config) {
      isBuild = config.command === 'build'
    },
    resolveId: { filter: { id: new RegExp(`^${MODULE}$`) }, handler: () => `\0${MODULE}` },
    load: {
      filter: { id: new RegExp(`^\0${MODULE}$`) },
      async handler() {
        if (!isBuild) return `export default ${JSON.stringify(FILE_IN_DEVELOPMENT)}`
        const file = this.emitFile({ type: 'asset', name: 'api-reference.js', source: await readLibrary() })
        return `export default import.meta.ROLLUP_FILE_URL_${file}`
      },
    },
    configureServer(server) {
      server.middlewares.use(FILE_IN_DEVELOPMENT, (_, response, next) => {
        readLibrary().then((script) => response.setHeader('content-type', 'text/javascript').end(script), next)
      })
    },
  }
}

async function readLibrary(): Promise<string> {
  const server = fastify()
  await server.register(scalar, { routePrefix: '/reference', configuration: { url: '/api/public/openapi.json' } })
  const reply = await server.inject('/reference/js/scalar.js')
  await server.close()
  if (reply.statusCode !== 200) throw new Error(`The package of the API reference has no script: ${reply.body}`)
  return reply.body
}
