import type { Page } from '@playwright/test'
import { expect } from './test.ts'

/** Opens a port in the training shown on the page, so that each test deletes only its own port. */
export async function openPort(page: Page, port: number): Promise<void> {
  await page.getByRole('button', { name: 'Open Port' }).click()
  const dialog = page.getByRole('dialog', { name: 'Open Port' })
  await dialog.getByLabel('Port Number').fill(String(port))
  await dialog.getByRole('button', { name: 'Save Port' }).click()
  await expect(page.getByRole('button', { name: `Delete port ${port}`, exact: true })).toBeVisible()
}
