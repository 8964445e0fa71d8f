import { expect, type Page } from '@playwright/test'
import { axeProblems } from './axe.ts'
import { waitForPaint } from './screens.ts'

type Appearance = readonly [width: 1440 | 390, colorScheme: 'light' | 'dark']

export async function expectNoAxeProblems(page: Page, appearances: readonly Appearance[]): Promise<void> {
  for (const [width, colorScheme] of appearances) {
    await page.setViewportSize({ width, height: 844 })
    await page.emulateMedia({ colorScheme })
    await waitForPaint(page)
    const problems = await axeProblems(page)
    expect(problems, `${width} ${colorScheme}`).toEqual([])
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}
