import type { Plugin } from 'vite'

/** The engine in its module, as base64 text. */
const ENGINE = /"data:application\/wasm;base64,([A-Za-z0-9+/=]+)"/

/** A separate WebAssembly file, which the browser compiles while it downloads. */
export function desktopEngine(): Plugin {
  return {
    name: 'desktop-engine',
    apply: 'build',
    transform: {
      filter: { id: /iron-remote-desktop-rdp\.js$/ },
      handler(code) {
        const engine = ENGINE.exec(code)
        if (engine === null) this.error('The remote desktop has no engine inside: does it come as a file by now?')
        const file = this.emitFile({
          type: 'asset',
          name: 'desktop-engine.wasm',
          source: Buffer.from(engine[1]!, 'base64'),
        })
        return { code: code.replace(engine[0], `import.meta.ROLLUP_FILE_URL_${file}`), map: null }
      },
    },
  }
}
