import { type ESTree, Visitor } from 'vite'

/** Methods that answer and change nothing. */
const ASKING = new Set(['has', 'includes', 'some', 'every', 'startsWith', 'endsWith', 'test', 'isArray', 'isInteger'])

/** Returns whether leaving the expression out changes nothing but its value. */
export function isCallFree(expression: ESTree.Expression): boolean {
  let free = true
  const refuse = () => void (free = false)
  new Visitor({
    CallExpression({ callee }) {
      const asks = callee.type === 'MemberExpression' && callee.property.type === 'Identifier'
      if (!asks || !ASKING.has((callee.property as ESTree.IdentifierName).name)) refuse()
    },
    NewExpression: refuse,
    AwaitExpression: refuse,
    YieldExpression: refuse,
    TaggedTemplateExpression: refuse,
    AssignmentExpression: refuse,
    UpdateExpression: refuse,
  }).visit({
    type: 'Program',
    sourceType: 'module',
    hashbang: null,
    start: expression.start,
    end: expression.end,
    body: [{ type: 'ExpressionStatement', expression, start: expression.start, end: expression.end }],
  })
  return free
}
