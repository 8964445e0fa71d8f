import { Problem } from '../core/errors.ts'
import { ANONYMOUS_CALLS } from './limits.ts'

export interface BodyLimit {
  readonly bytes: number
  /** Maximum number of values: texts, numbers, lists, objects and so on. */
  readonly values: number
}

/** Maximum size of a request, in bytes. An order for 1,000 learners takes a quarter of it. */
export const BODY_BYTES_MAX = 1024 * 1024

const NORMAL: BodyLimit = { bytes: 65_536, values: 1_000 }
/** Limit for up to 1,000 machines or learners, with up to three values each. */
const LIST: BodyLimit = { bytes: BODY_BYTES_MAX, values: 4_500 }
const DOCUMENT: BodyLimit = { bytes: BODY_BYTES_MAX, values: 1_000 }

/**
 * Calls whose bodies can be larger than `NORMAL`, by method and path. Many small values cost far more CPU time than their
 * bytes suggest: a list of 330,000 empty objects takes two seconds to refuse.
 */
export const LARGE_BODIES: Readonly<Record<string, BodyLimit>> = {
  'PATCH /azure/machines': LIST,
  'PATCH /azure/machinesUndo': LIST,
  'PATCH /azure/machinesRestart': LIST,
  'PATCH /azure/machinesReset': LIST,
  'PATCH /azure/machinesLearners': LIST,
  'DELETE /azure/machines': LIST,
  'POST /azure/machines': LIST,
  'POST /azure/registrations/approve': LIST,
  'POST /azure/registrations/decline': LIST,
  'POST /azure/schedules': { bytes: BODY_BYTES_MAX, values: 2_000 },
  'POST /labImports/apply': { bytes: BODY_BYTES_MAX, values: 10_000 },
  'POST /labImports/files': DOCUMENT,
  'POST /admin/invoice/credit': { bytes: BODY_BYTES_MAX, values: 31_000 },
  'POST /admin/invoice/debit': { bytes: BODY_BYTES_MAX, values: 31_000 },
  'POST /admin/costs/imports/part': DOCUMENT,
  'POST /admin/ledger/tds/certificate': DOCUMENT,
  'POST /admin/organization/tax-status/requests': DOCUMENT,
  'PATCH /admin/organization/logo': DOCUMENT,
  'PATCH /admin/lms': DOCUMENT,
  'POST /account/passkeys': DOCUMENT,
}

const DEPTH_MAX = 32

export const bodyLimitOf = (route: string): BodyLimit => {
  const bytes = ANONYMOUS_CALLS[route]?.bodyBytes ?? 0
  return LARGE_BODIES[route] ?? (bytes > 0 ? { ...NORMAL, bytes } : NORMAL)
}

const [QUOTE, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [...'",[]{}'].map((mark) => mark.charCodeAt(0))
const BACKSLASH = '\\'.charCodeAt(0)

/**
 * Refuses JSON with too many or too deeply nested values before it is parsed. Counts the values in one pass without
 * allocating memory.
 * @throws Problem malformed or tooLarge
 */
export function refuseCostlyJson(text: string, valuesMax: number): void {
  let [depth, values] = [0, 1]
  for (let at = 0; at < text.length; at += 1) {
    const mark = text.charCodeAt(at)
    if (mark === QUOTE) {
      at = endOfText(text, at)
    } else if (mark === OPEN_LIST || mark === OPEN_OBJECT) {
      depth += 1
      values += 1
      if (depth > DEPTH_MAX) throw new Problem('malformed', 'The request is nested too deeply.')
    } else if (mark === CLOSE_LIST || mark === CLOSE_OBJECT) depth -= 1
    else if (mark === COMMA) values += 1
    if (values > valuesMax) throw new Problem('tooLarge', 'The request has too many values.')
  }
}

/** Returns the position of the quote that ends the text which starts at `start`, or the end of the JSON. */
function endOfText(json: string, start: number): number {
  let end = start
  for (;;) {
    end = json.indexOf('"', end + 1)
    if (end === -1) return json.length
    let escapes = 0
    while (json.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1
    if (escapes % 2 === 0) return end
  }
}
