/** A request to AWS and its reply. null if there was no reply. */
export interface AwsExchange {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly reply: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  } | null
}

export interface Element {
  readonly name: string
  readonly text: string
  readonly children: readonly Element[]
}

/**
 * Parses the XML subset that AWS uses: elements and text in one namespace.
 * @throws SyntaxError
 */
export function readXml(text: string): Element {
  const tokens = text.match(/<[^>]*>|[^<]+/g) ?? []
  let index = 0
  const element = (): Element => {
    const open = /^<([A-Za-z][\w.-]*)(?:\s+[^>]*)?>$/.exec(tokens[index++] ?? '')
    if (open?.[1] === undefined) throw new SyntaxError('element expected')
    const children: Element[] = []
    let content = ''
    for (;;) {
      const token = tokens[index]
      if (token === undefined) throw new SyntaxError(`<${open[1]}> is not closed`)
      if (token === `</${open[1]}>`) {
        index += 1
        return { name: open[1], text: unescapeXml(content), children }
      }
      if (token.startsWith('<')) children.push(element())
      else {
        content += token
        index += 1
      }
    }
  }
  const root = element()
  if (index !== tokens.length) throw new SyntaxError('content after the document')
  return root
}

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&amp;': '&',
}

const unescapeXml = (text: string): string =>
  text.replaceAll(/&(?:lt|gt|quot|apos|amp);/g, (entity) => entities[entity] ?? entity)
