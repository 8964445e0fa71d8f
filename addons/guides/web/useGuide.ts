import { useRef, useState } from 'react'
import { API_BASE, api } from '@trainyard/platform/web/api/client.ts'
import { messageOf } from '@trainyard/platform/web/api/error.ts'
import { writeSearch } from '@trainyard/platform/web/navigation/search.ts'
import type { GuideQuestionView, GuideRunView, GuideTaskView } from '../contract/guide.ts'
import { PICTURES } from '../contract/guide-words.ts'
import { CHECK_WORDS } from './words.ts'

type Busy = 'step' | `${'check' | 'solve' | 'hint' | 'skip' | 'answer'} ${string}`

/** The learner's actions. One at a time, because each of them replies with the whole guide. */
export function useGuide(vmName: string, run: GuideRunView, setRun: (run: GuideRunView) => void) {
  const [busy, setBusy] = useState<Busy | null>(null)
  const [said, setSaid] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const isBusy = useRef(false)

  async function act(
    what: Busy,
    call: () => Promise<{ readonly message: string; readonly run: GuideRunView }>,
    sentenceOf: (reply: { readonly message: string; readonly run: GuideRunView }) => string = ({ message }) => message,
  ): Promise<void> {
    if (isBusy.current) return
    isBusy.current = true
    setBusy(what)
    setProblem(null)
    setSaid('')
    try {
      const reply = await call()
      setRun(reply.run)
      setSaid(sentenceOf(reply))
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      isBusy.current = false
      setBusy(null)
    }
  }

  return {
    busy,
    said,
    problem,
    pictureAddress: (path: string) => `${API_BASE}${PICTURES}${writeSearch({ vmName, version: run.version, path })}`,
    openStep: (step: string | null) => {
      // The text is shown at once, while the machine is prepared.
      if (step !== null && !isBusy.current) setRun({ ...run, step })
      return act('step', async () => {
        const reply = await api.guideRun.open({ vmName, step })
        if (reply.message !== '') setProblem(reply.message)
        return reply
      })
    },
    chooseLanguage: (language: string) => act('step', () => api.guideRun.chooseLanguage({ vmName, language })),
    check: ({ id }: GuideTaskView) =>
      act(
        `check ${id}`,
        () => api.guideRun.check({ vmName, task: id }),
        ({ message, run: now }) => {
          const task = now.steps.flatMap(({ tasks }) => tasks).find((each) => each.id === id)
          const results = (task?.checks ?? []).flatMap(({ title, state, message: sentence }) =>
            state === null ? [] : [`${title}: ${CHECK_WORDS[state]}. ${sentence}`],
          )
          return [message, ...results].join(' ')
        },
      ),
    solve: ({ id }: GuideTaskView) => act(`solve ${id}`, () => api.guideRun.solve({ vmName, task: id })),
    hint: ({ id }: GuideTaskView) =>
      act(
        `hint ${id}`,
        () => api.guideRun.hint({ vmName, task: id }),
        () => 'The hint is below the task.',
      ),
    skip: ({ id }: GuideTaskView) => act(`skip ${id}`, () => api.guideRun.skip({ vmName, task: id })),
    answer: ({ id }: GuideQuestionView, answer: number[] | string) =>
      act(`answer ${id}`, () => api.guideRun.answer({ vmName, question: id, answer })),
  }
}
export type GuideActions = ReturnType<typeof useGuide>
