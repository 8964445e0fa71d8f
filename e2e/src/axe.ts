import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

interface AxeOptions {
  /** Selector of the only part of the page to check. */
  readonly within?: string
  readonly rules?: readonly string[]
}

/**
 * Returns the rules that a page violates, each with the first element's message (for contrast, the colours) and all
 * elements.
 */
export async function axeProblems(page: Page, { within, rules }: AxeOptions = {}): Promise<string[]> {
  // Legacy mode opens no second page to combine the results of frames, which halves the time. The
  // results are the same on pages without cross-origin frames. Passed rules are not reported, because listing their
  // elements takes longer than the check. The half megabyte of source is not sent again to a document that already has
  // axe.
  const isLoaded = page.frames().length === 1 && (await page.evaluate<boolean>(`'axe' in window`))
  const axe = new AxeBuilder({ page, ...(isLoaded && { axeSource: ';' }) })
  axe.setLegacyMode().options({ resultTypes: ['violations'] })
  if (within !== undefined) axe.include(within)
  if (rules !== undefined) axe.withRules([...rules])
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => {
    const message = nodes[0]?.any[0]?.message ?? ''
    return `${id}: ${message} ${nodes.map(({ html }) => html).join(' | ')}`
  })
}
