import { axeProblems } from './axe.ts'
import { expect, test } from './test.ts'

test('shows the API reference without a session, by keyboard, and contacts no other host', async ({ page, portal }) => {
  const faults: string[] = []
  const hosts = new Set<string>()
  page.on('console', (message) => void (message.type() === 'error' && faults.push(message.text())))
  page.on('pageerror', (error) => void faults.push(error.message))
  page.on('request', (request) => void hosts.add(new URL(request.url()).host))

  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.goto('about:blank')
    await page.goto('/developers')
    await expect(page.getByRole('heading', { name: 'Trainyard API', level: 1 })).toBeVisible()
    for (const name of ['Quick start', 'Changes']) {
      await expect(page.getByRole('heading', { name, exact: true })).toBeAttached()
    }
    await page.keyboard.press('Control+k')
    const search = page.getByRole('combobox', { name: 'Enter search query' })
    await search.fill('one machine from a template')
    await expect(page.getByRole('option', { name: /Orders one machine from a template/ })).toBeVisible()
    expect(await axeProblems(page), `search, ${colorScheme}`).toEqual([])
    await search.press('ArrowDown')
    await search.press('Enter')
    await expect(page).toHaveURL(/#.*machines/i)
    await expect(page.getByRole('heading', { name: /^Orders one machine from a template/ })).toBeInViewport()
    expect(await axeProblems(page), colorScheme).toEqual([])
  }
  await page.setViewportSize({ width: 320, height: 700 })
  expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  expect(faults).toEqual([])
  expect([...hosts]).toEqual([new URL(portal.url).host])
})
