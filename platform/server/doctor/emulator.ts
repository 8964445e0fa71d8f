import { type Check, green, notUsed } from './check.ts'

/** @param missing provider settings that are missing in production; null outside production */
export function emulatorCheck(
  { needed, url }: { readonly needed: boolean; readonly url: string },
  missing: readonly string[] | null,
): Check {
  return {
    group: 'Emulator',
    name: 'runs',
    limit: 5_000,
    otherwise: 'Start the portal with npm start, which starts the emulator, or configure real providers.',
    async run(signal) {
      if (!needed) return notUsed('All providers are real.')
      const reply = await fetch(`${url}/_clock`, { signal }).catch((error: unknown) => {
        if (missing !== null) return null
        throw new Error(`The emulator does not answer at ${url}.`, { cause: error })
      })
      if (reply === null) return notUsed(`Set ${missing!.join(', and ')}: requests to these providers wait until then.`)
      if (!reply.ok) throw new Error(`The server at ${url} is not the emulator (status ${reply.status}).`)
      const instead = missing === null ? '' : ` For real providers set ${missing.join(', and ')}.`
      return green(`The emulator responds at ${url}.${instead}`)
    },
  }
}
