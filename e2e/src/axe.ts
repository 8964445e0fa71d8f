import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

interface Looked {
  /** A selector of the one part that is looked at. */
  readonly within?: string
  /** The names of the rules, where not all are asked about. */
  readonly rules?: readonly string[]
}

/**
 * Returns what axe finds wrong with a page: each rule with what it says of the first element, which for a contrast
 * holds the colours, and with all its elements.
 */
export async function axeProblems(page: Page, { within, rules }: Looked = {}): Promise<string[]> {
  // A page without foreign frames needs no second page for axe to sum up in: that halves its time. Of rules that hold
  // nothing is read: told of each element that they hold of, it takes longer than its looking. A document that has axe
  // from an earlier look is not sent it again, half a megabyte each time.
  const there = page.frames().length === 1 && (await page.evaluate<boolean>(`'axe' in window`))
  const axe = new AxeBuilder({ page, ...(there && { axeSource: ';' }) })
  axe.setLegacyMode().options({ resultTypes: ['violations'] })
  if (within !== undefined) axe.include(within)
  if (rules !== undefined) axe.withRules([...rules])
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => {
    const said = nodes[0]?.any[0]?.message ?? ''
    return `${id}: ${said} ${nodes.map(({ html }) => html).join(' | ')}`
  })
}
