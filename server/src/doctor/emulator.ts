import { type Check, green, notUsed } from './check.ts'

/**
 * The emulator, where it stands in for a far end: without it nothing of that end can be asked.
 * @param missing the settings of far ends that production lacks: there nobody is to start an emulator; null elsewhere
 */
export function emulatorCheck(
  { needed, url }: { readonly needed: boolean; readonly url: string },
  missing: readonly string[] | null,
): Check {
  return {
    group: 'Emulator',
    name: 'runs',
    limit: 5_000,
    otherwise:
      missing === null
        ? 'Start the portal with npm start, which starts the emulator; or set every far end to a real one.'
        : `Set ${missing.join(', and ')}: what they lead to waits until then.`,
    async run(signal) {
      if (!needed) return notUsed('Every far end is a real one.')
      const reply = await fetch(`${url}/_clock`, { signal }).catch((error: unknown) => {
        throw new Error(`The emulator does not answer at ${url}.`, { cause: error })
      })
      if (!reply.ok) throw new Error(`What answers at ${url} is not the emulator (status ${reply.status}).`)
      return green(`It answers at ${url}.`)
    },
  }
}
