/** Parts of a name that follow a comma without being a first name. */
const SUFFIX = /^(?:jr|sr|ii|iii|iv|ph\.? ?d|m\.? ?d|m\.? ?tech|mba|ca)\b/i

/** Returns the name as a person is addressed: "Asha Rao" for "Rao, Asha (EXT)" of a directory. */
export function spokenName(name: string): string {
  const [spoken = ''] = name.split('(')
  const parts = spoken.split(',').map((part) => part.trim())
  const [last = '', first = ''] = parts
  if (last === '') return name
  return parts.length !== 2 || first === '' || SUFFIX.test(first) ? parts.join(', ') : `${first} ${last}`
}
