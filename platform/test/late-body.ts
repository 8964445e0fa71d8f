import { request } from 'node:http'

/** Sends the head of a request and the first part of its JSON body. `end` sends the rest and returns the status. */
export function sendLateBody(method: string, url: string, { token, start }: { token: string; start: string }) {
  const answered = Promise.withResolvers<number>()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const sent = request(url, { method, headers }, (reply) => answered.resolve(reply.resume().statusCode!))
  sent.on('error', answered.reject)
  sent.write(start)
  return {
    end(rest: string): Promise<number> {
      sent.end(rest)
      return answered.promise
    },
  }
}
