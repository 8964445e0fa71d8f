import { expect, type Page } from '@playwright/test'
import { goOn } from './go-on.ts'

/** Orders a machine for each learner of a training of Acme Learning, as the owner of the page; waits until all run. */
export async function orderTraining(
  page: Page,
  trainingName: string,
  email: readonly string[],
  {
    guacamole = false,
    templateName = 'Ubuntu 24.04 Starter',
  }: { readonly guacamole?: boolean; readonly templateName?: string } = {},
): Promise<void> {
  const of = { trainingName, organization: 'Acme Learning' }
  const reply = await page.request.post('/api/azure/machines', {
    headers: { origin: new URL(page.url()).origin },
    data: {
      ...of,
      templateName,
      email,
      allocatedHours: 10 * 60,
      createVmCount: email.length,
      guacamole,
    },
  })
  expect(reply.ok(), await reply.text()).toBe(true)
  const runs = async () => {
    const machines = await page.request.get('/api/azure/machines', { params: of })
    return ((await machines.json()) as { isRunning: boolean }[]).every(({ isRunning }) => isRunning)
  }
  await expect.poll(runs).toBe(true)
}

/** Opens the one machine of the training as its learner whose page it is; answers the tab. */
export async function openOwn(learner: Page, search: string): Promise<Page> {
  await goOn(learner, `/vm/vmdetails${search}`)
  await expect(learner.getByRole('heading', { level: 1 })).toHaveText('Virtual Lab Console')
  const card = learner.getByRole('list', { name: 'Instances' }).getByRole('listitem')
  await expect(card.getByRole('button', { name: /^Copy the public address of/ })).toBeVisible()
  const opening = learner.context().waitForEvent('page')
  await card.getByRole('button', { name: /^Web-based access to/ }).click()
  const own = await opening
  await expect(own.getByText('Instructors ask you before they see this screen.')).toBeVisible()
  return own
}

/** Sets a training's access window, or with null removes it, as the admin whose page it is. */
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

/** A date and time on the clocks of Acme Learning, as the schedules show them, and the date as the calendar says it. */
export function inKolkata(instant: Date): { date: string; time: string; day: string } {
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Kolkata', ...options }).format(instant)
  return {
    date: part({ day: '2-digit', month: '2-digit', year: 'numeric' }),
    time: part({ hour: '2-digit', minute: '2-digit' }),
    day: part({ day: 'numeric', month: 'long', year: 'numeric' }),
  }
}
