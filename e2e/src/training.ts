import { expect, type Page } from '@playwright/test'
import { navigate } from './navigate.ts'

/**
 * Orders a machine for each learner in a training of Acme Learning as the user of the page, and waits until all run.
 */
export async function orderTraining(
  page: Page,
  trainingName: string,
  email: readonly string[],
  {
    guacamole = false,
    templateName = 'Ubuntu 24.04 Starter',
  }: { readonly guacamole?: boolean; readonly templateName?: string } = {},
): Promise<void> {
  const query = { trainingName, organization: 'Acme Learning' }
  const reply = await page.request.post('/api/azure/machines', {
    headers: { origin: new URL(page.url()).origin },
    data: {
      ...query,
      templateName,
      email,
      allocatedHours: 10 * 60,
      createVmCount: email.length,
      guacamole,
    },
  })
  expect(reply.ok(), await reply.text()).toBe(true)
  const runs = async () => {
    const machines = await page.request.get('/api/azure/machines', { params: query })
    return ((await machines.json()) as { isRunning: boolean }[]).every(({ isRunning }) => isRunning)
  }
  await expect.poll(runs).toBe(true)
}

/** Opens the learner's only machine of the training in the browser. Returns the new tab. */
export async function openOwnMachine(learner: Page, search: string): Promise<Page> {
  await navigate(learner, `/vm/vmdetails${search}`)
  await expect(learner.getByRole('heading', { level: 1 })).toHaveText('Virtual Lab Console')
  const card = learner.getByRole('list', { name: 'Instances' }).getByRole('listitem')
  await expect(card.getByRole('button', { name: /^Copy the public address of/ })).toBeVisible()
  const opening = learner.context().waitForEvent('page')
  await card.getByRole('button', { name: /^Web-based access to/ }).click()
  const tab = await opening
  await expect(tab.getByText('Instructors ask you before they watch this screen.')).toBeVisible()
  return tab
}

/** Sets a training's access window as the admin of the page, or removes it if `window` is null. */
export async function setWindow(page: Page, trainingName: string, window: [string, string] | null): Promise<void> {
  const reply = await page.request.post('/api/azure/schedules', {
    headers: { origin: new URL(page.url()).origin },
    data: {
      trainingName,
      data: {
        schedules: [],
        restrictLogin: {
          restrictUserLogin: window !== null,
          userAccessOnTime: window?.[0] ?? null,
          userAccessOffTime: window?.[1] ?? null,
        },
      },
    },
  })
  expect(reply.ok(), await reply.text()).toBe(true)
}

/**
 * Formats an instant in the time zone of Acme Learning: date and time as in the schedules, and the day as in the
 * calendar.
 */
export function inKolkata(instant: Date): { date: string; time: string; day: string } {
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Kolkata', ...options }).format(instant)
  return {
    date: part({ day: '2-digit', month: '2-digit', year: 'numeric' }),
    time: part({ hour: '2-digit', minute: '2-digit' }),
    day: part({ day: 'numeric', month: 'long', year: 'numeric' }),
  }
}
