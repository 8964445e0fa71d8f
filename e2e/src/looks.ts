import { expect, type Page } from '@playwright/test'
import { axeProblems } from './axe.ts'
import { settled } from './screens.ts'

type Look = readonly [width: 1440 | 390, colorScheme: 'light' | 'dark']

/** Axe finds nothing, in any of these looks. */
export async function expectNoProblems(page: Page, looks: readonly Look[]): Promise<void> {
  for (const [width, colorScheme] of looks) {
    await page.setViewportSize({ width, height: 844 })
    await page.emulateMedia({ colorScheme })
    await settled(page)
    const problems = await axeProblems(page)
    expect(problems, `${width} ${colorScheme}`).toEqual([])
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}
