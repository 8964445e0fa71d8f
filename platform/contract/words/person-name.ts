/** Parts of a name that follow a comma without being a given name. */
const SUFFIX = /^(?:jr|sr|ii|iii|iv|ph\.? ?d|m\.? ?d|m\.? ?tech|mba|ca)\b/i

/**
 * Returns a name with the given name first: "Asha Rao (EXT)" for "Rao, Asha (EXT)", which directories and mail programs
 * write for sorting.
 */
export function givenNameFirst(name: string): string {
  const [, last, first, remark = ''] = /^([^,]+),\s*([^,(]*[^,(\s])(\s*\(.*\))?$/.exec(name) ?? []
  return last === undefined || first === undefined || SUFFIX.test(first) ? name : `${first} ${last}${remark}`
}

/** Returns a name as stored and as shown, so that a search finds both. */
export const searchedName = (name: string | null): string | null => name && `${name} ${givenNameFirst(name)}`

/** Returns the name with which a mail addresses a person: "Asha Rao" for "Rao, Asha (EXT)". */
export const spokenName = (name: string): string => givenNameFirst(name).split('(')[0]!.trim() || name
