import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import { waitForPaint } from './screens.ts'

const folder = fileURLToPath(new URL('../../docs/screens/', import.meta.url))

export const SIZES = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const

/** Saves a screenshot as docs/screens/<name>.jpg. JPEG, because a hundred of them are in the repository. */
export async function takePicture(page: Page, name: string): Promise<void> {
  await waitForPaint(page)
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}${name}.jpg`, type: 'jpeg', quality: 68, animations: 'disabled' })
}

export async function openDialog(page: Page, path: string, button: string, name = button): Promise<void> {
  await page.goto(path)
  await page.getByRole('button', { name: button }).click()
  await expect(page.getByRole('dialog', { name })).toBeVisible()
}
