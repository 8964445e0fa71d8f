import type { Browser } from '@playwright/test'
import { DEMO_PASSWORD } from '@trainyard/demo/server/organisations.ts'

export async function signIn(browser: Browser, url: string) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${url}/login`)
  await page.getByLabel('Username').fill('admin@acme.test')
  await page.getByLabel('Password').fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  const state = await context.storageState()
  await context.close()
  return state
}
