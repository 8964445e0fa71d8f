import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import { waitForPaint } from './screens.ts'

const COMMITTED = fileURLToPath(new URL('../../docs/screens/', import.meta.url))
const OTHERS = fileURLToPath(new URL('../../test-results/screens/', import.meta.url))

export const SIZES = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const

/** Names of the screenshots that README.md and addons/demo/README.md show. All other screenshots stay uncommitted. */
const SHOWN: ReadonlySet<string> = new Set([
  'admin-vm-vmdetails.wide.light',
  'walk-instructor-1',
  'walk-instructor-2',
  'walk-learner-1',
  'walk-learner-2',
])

/** Saves a screenshot as <name>.jpg: in docs/screens/ if a page shows it, otherwise in test-results/screens/. */
export async function takePicture(page: Page, name: string): Promise<void> {
  await waitForPaint(page)
  const folder = SHOWN.has(name) ? COMMITTED : OTHERS
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}${name}.jpg`, type: 'jpeg', quality: 60, animations: 'disabled' })
}

export async function openDialog(page: Page, path: string, button: string, name = button): Promise<void> {
  await page.goto(path)
  await page.getByRole('button', { name: button }).click()
  await expect(page.getByRole('dialog', { name })).toBeVisible()
}
