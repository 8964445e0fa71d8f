import type { Plugin } from 'vite'

const SERVER = /\/(?:platform|core\/[^/]+|addons\/[^/]+)\/(?:server|emulator|cli|test)(?:\/|\.ts)/

/** Refuses code of the server in the browser. */
export function noServerCode(): Plugin {
  return {
    name: 'no-server-code',
    resolveId: {
      order: 'pre',
      async handler(source, importer, options) {
        const resolved = await this.resolve(source, importer, { ...options, skipSelf: true })
        if (resolved !== null && SERVER.test(resolved.id))
          this.error(`${importer ?? 'The build'} imports ${resolved.id}, which is code of the server.`)
        return resolved
      },
    },
  }
}
