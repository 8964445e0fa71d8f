export interface Requirement {
  readonly requirement: string
  readonly tests: readonly { readonly file: string; readonly title: string }[]
}

/** The rows of the tables in `docs/spec-coverage.md` and `docs/security/threats.md`: a requirement or an attack, then `file`: title, several parted by <br>. */
export function rowsOf(markdown: string): Requirement[] {
  return markdown
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (---|Requirement |Attack )/.test(line))
    .map((line) => {
      const [requirement = '', tests = ''] = line.slice(1, -1).split('|')
      return {
        requirement: requirement.trim(),
        tests: [...tests.matchAll(/`([^`]+)`: (.+?)\s*(?:<br>|$)/g)].map((match) => ({
          file: match[1]!,
          title: match[2]!,
        })),
      }
    })
}

/** The titles of the tests in a source, as they stand there: with `%s` and `${...}` where they have these. */
export function namesOf(source: string): Set<string> {
  const titles = source.matchAll(/(?:\b(?:test|it)|\))\(\s*(['"`])((?:\\.|(?!\1).)+)\1\s*,/gs)
  return new Set([...titles].map((match) => match[2]!.replace(/\\(['"`])/g, '$1')))
}
