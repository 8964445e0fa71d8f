/* oxlint-disable unicorn/require-post-message-target-origin -- the rule is for windows; this is a worker thread */
import { parentPort, workerData } from 'node:worker_threads'
import { officialContract, type Exchange } from './contract.ts'
import { readSpecification } from './specification.ts'

/** Runs in the worker thread of `validator.ts`. Receives exchanges and posts verdicts. */

const contract = officialContract(readSpecification(String(workerData)))

parentPort?.on('message', ({ number, exchange }: { number: number; exchange: Exchange }) => {
  void answer(number, exchange)
})

async function answer(number: number, exchange: Exchange) {
  try {
    const { validate: validateExchange } = await contract
    parentPort?.postMessage({ number, verdict: await validateExchange(exchange) })
  } catch (problem) {
    const violations = [`${exchange.method} ${exchange.url} could not be validated: ${String(problem)}`]
    parentPort?.postMessage({ number, verdict: { operation: exchange.url, violations } })
  }
}
