import { build, type Rolldown } from 'vite'

/** Returns a style sheet with those that it imports, for the page that contains it. */
export async function styleText(root: string, entry: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    root,
    build: {
      write: false,
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      rolldownOptions: { input: entry },
    },
  })
  const { output } = result as Rolldown.RolldownOutput
  const sheet = output.find((part) => part.type === 'asset' && part.fileName.endsWith('.css'))
  return String((sheet as Rolldown.OutputAsset).source).trim()
}
