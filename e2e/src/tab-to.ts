import { expect, type Locator, type Page } from '@playwright/test'

/** Presses Tab until the element has the focus, at most `maxTabs` times: every control must be reachable by keyboard. */
export async function tabTo(page: Page, goal: Locator, maxTabs = 60): Promise<void> {
  await expect(goal).toBeAttached()
  for (let tabs = 0; tabs < maxTabs && !(await goal.evaluate((element) => element.matches(':focus'))); tabs += 1)
    await page.keyboard.press('Tab')
  await expect(goal).toBeFocused()
}

export async function enterOn(page: Page, goal: Locator, maxTabs?: number): Promise<void> {
  await tabTo(page, goal, maxTabs)
  // A disabled button can have the focus too, to explain why it is disabled.
  await expect(goal).toBeEnabled()
  await page.keyboard.press('Enter')
}
