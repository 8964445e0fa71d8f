import { expect, type Page } from '@playwright/test'

/** Adds a lab user through the form of the given screen, after checking the error for an incomplete form. */
export async function addLabUser(
  page: Page,
  screen: 'Azure Lab Users' | 'AWS Lab Users',
  user: { username: string; personalEmail: string; days: number },
): Promise<void> {
  await page.getByRole('link', { name: screen }).click()
  await expect(page.getByRole('heading', { level: 1, name: screen })).toBeVisible()
  await page.getByRole('button', { name: 'Add User' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add User' })
  await dialog.getByLabel('Username').fill(user.username)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Please fill in all fields.')
  await dialog.getByLabel('Personal Email').fill(user.personalEmail)
  await dialog.getByLabel('Duration (days)').fill(String(user.days))
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'User created successfully!' })).toBeVisible()
}
