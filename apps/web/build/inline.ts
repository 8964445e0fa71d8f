import { build, type InlineConfig, type Rolldown } from 'vite'

const quiet: InlineConfig = { configFile: false, logLevel: 'warn', define: { 'process.env.NODE_ENV': '"production"' } }

async function bundle(
  root: string,
  entry: string,
  format: 'es' | 'iife',
  define: Record<string, unknown> = {},
): Promise<Rolldown.RolldownOutput['output']> {
  const result = await build({
    ...quiet,
    define: { ...quiet.define, ...define },
    root,
    build: {
      write: false,
      modulePreload: false,
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      rolldownOptions: { input: entry, output: { format } },
    },
  })
  return (result as Rolldown.RolldownOutput).output
}

/** @param define constants of the script */
export async function scriptText(root: string, entry: string, define: Record<string, unknown> = {}): Promise<string> {
  const chunk = (await bundle(root, entry, 'iife', define)).find((part) => part.type === 'chunk')
  return chunk!.code.trim()
}

/** Returns a style sheet with those that it imports, for the page that contains it. */
export async function styleText(root: string, entry: string): Promise<string> {
  const sheet = (await bundle(root, entry, 'es')).find(
    (part) => part.type === 'asset' && part.fileName.endsWith('.css'),
  )
  return String((sheet as Rolldown.OutputAsset).source).trim()
}
