import { Problem } from '../core/errors.ts'

const DEPTH_MAX = 32

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
