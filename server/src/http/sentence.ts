/** One finding of zod, as fastify-type-provider-zod hands it on. */
export interface Finding {
  readonly keyword: string
  readonly instancePath: string
  readonly message?: string
  readonly params?: Readonly<Record<string, unknown>>
}

/** A sentence that names the field: 'email (item 1) must be an e-mail address such as name@example.com.' */
export function sentenceOf(finding: Finding | undefined): string {
  if (finding === undefined) return 'The request is not as expected.'
  const keys = finding.params?.['keys']
  if (finding.keyword === 'unrecognized_keys' && Array.isArray(keys)) {
    const at = fieldOf(finding.instancePath)
    const unknown = keys.map((key) => String(key).slice(0, 60)).join(', ')
    return `${unknown} is not a known field${at === '' ? '' : ` of ${at}`}.`
  }
  // Words of ours that begin with a capital letter are a sentence by themselves.
  if (/^[A-Z]/.test(finding.message ?? '') && !ZODS_OWN.test(finding.message!)) return finding.message!
  const field = fieldOf(finding.instancePath) || 'The request'
  const sentence = `${field} ${wordsOf(finding)}`
  return sentence.endsWith('.') ? sentence : `${sentence}.`
}

/** Zod's own words begin with these. */
const ZODS_OWN = /^(Invalid|Too|Unrecognized)/

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object of fields',
  null: 'null',
}

function wordsOf({ keyword, message = '', params = {} }: Finding): string {
  // What was written by us reads on after the field's name.
  if (!ZODS_OWN.test(message)) return message
  switch (keyword) {
    case 'invalid_type':
      if (message.endsWith('received undefined')) return 'is missing'
      return `must be ${KINDS[String(params['expected'])] ?? 'as described'}`
    case 'invalid_value':
      return `must be one of ${(params['values'] as unknown[]).join(', ')}`
    case 'too_small':
      return `must be at least ${String(params['minimum'])}${unitOf(params['origin'])}`
    case 'too_big':
      return `must be at most ${String(params['maximum'])}${unitOf(params['origin'])}`
    default:
      return 'is not as expected'
  }
}

const unitOf = (origin: unknown): string =>
  origin === 'string' ? ' characters long' : origin === 'array' ? ' items long' : ''

/** '/email/0' is 'email (item 1)'; '' is the whole request. */
function fieldOf(path: string): string {
  return path
    .split('/')
    .filter(Boolean)
    .map((step, index) =>
      /^\d+$/.test(step) ? `${index === 0 ? '' : ' '}(item ${Number(step) + 1})` : (index === 0 ? '' : '.') + step,
    )
    .join('')
}
