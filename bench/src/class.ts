import { loadavg } from 'node:os'
import { chromium, type Page } from '@playwright/test'
import { findBrowser } from '@trainyard/e2e/src/browser.ts'
import { startPortal } from '@trainyard/e2e/src/portal.ts'
import {
  CHANGES_MS,
  FRAME_LIMIT,
  type Figure,
  frameFigure,
  framesOf,
  openScreen,
  orderAll,
  powerAll,
  report,
  scroll,
  untilAll,
} from './frames.ts'
import { signIn } from './sign-in.ts'

/**
 * Measures the frame intervals of the Class screen with 60 and with 400 running machines. Also measures a page of lines
 * without scripts for comparison: frames that this page misses are caused by the computer.
 */
const TRAININGS = [
  { name: 'Sixty', machines: 60 },
  { name: 'Four Hundred', machines: 400 },
] as const
/** Viewport that is low enough that even 60 compact seats must scroll. */
const VIEWPORT = { width: 1366, height: 500 }
const SEAT = '[role=list][aria-label=Learners] [role=listitem]'

const portal = await startPortal(0)
const browser = await chromium.launch(await findBrowser())
try {
  const session = await signIn(browser, portal.url)
  const page = await (await browser.newContext({ storageState: session })).newPage()
  await page.goto(portal.url)
  for (const training of TRAININGS) await orderAll(portal, page, training)
  await page.close()

  const before = loadavg()[0]!
  const figures: Figure[] = [await scrollPlainPage('before')]
  for (const training of TRAININGS)
    for (const seats of ['compact', 'large'] as const) figures.push(...(await framesOfClass(session, training, seats)))
  figures.push(await scrollPlainPage('after'))
  console.log(`Load average before: ${before.toFixed(1)}, after: ${loadavg()[0]!.toFixed(1)}.`)
  report(figures)
} finally {
  await browser.close()
  await portal.stop()
}

async function scrollPlainPage(moment: string): Promise<Figure> {
  const plain = await (await browser.newContext({ viewport: VIEWPORT })).newPage()
  await plain.setContent(Array.from({ length: 400 }, (_, line) => `<p>Line ${line}</p>`).join(''))
  const frames = await framesOf(plain, () => scroll(plain))
  await plain.context().close()
  return frameFigure(`plain page, scrolling, ${moment}`, frames, null)
}

async function framesOfClass(
  session: Awaited<ReturnType<typeof signIn>>,
  training: (typeof TRAININGS)[number],
  seats: 'compact' | 'large',
): Promise<Figure[]> {
  const path = `/vm/class?training=${encodeURIComponent(training.name)}${seats === 'large' ? '&seats=large' : ''}`
  const classPage = await openScreen(portal, browser, session, { path, readyAt: SEAT, slowdown: 1, viewport: VIEWPORT })
  const label = `Class of ${training.machines}, ${seats}`
  const scrolling = await framesOf(classPage, () => scroll(classPage))
  const figures = [frameFigure(`${label}, scrolling`, scrolling, FRAME_LIMIT)]
  if (seats === 'compact') {
    const changing = await framesOf(classPage, () => changeAll(classPage, training, 'Stopped'))
    await untilAll(portal, classPage, training, 'Stopped')
    await changeAll(classPage, training, 'Running')
    figures.push(frameFigure(`${label}, all states change`, changing, FRAME_LIMIT))
  }
  await classPage.context().close()
  return figures
}

/** Changes the states of all machines, and waits until the page shows it. */
async function changeAll(
  page: Page,
  training: (typeof TRAININGS)[number],
  status: 'Running' | 'Stopped',
): Promise<void> {
  await powerAll(portal, page, training, status)
  await page
    .getByText(`${status === 'Running' ? training.machines : 0} running`, { exact: true })
    .waitFor({ timeout: CHANGES_MS })
}
