import type { Mutant } from './list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'the example for fastapi completes no sign-in with the state of another browser',
    file: 'examples/fastapi/wardenry.py',
    from: 'not known or not secrets.compare_digest(known.encode(), state.encode())',
    to: 'not known',
    test: 'test/packages/languages/sign-in.test.ts',
  },
  {
    rule: 'the example for fastapi ends the session that the browser had before',
    file: 'examples/fastapi/wardenry.py',
    from: 'if (before := token_of(request)) and before',
    to: 'if False and before',
    test: 'test/packages/languages/sign-in.test.ts',
  },
  {
    rule: 'the example for go completes no sign-in with the state of another browser',
    file: 'examples/go/wardenry.go',
    from: 'subtle.ConstantTimeCompare([]byte(flow[0]), []byte(query.Get("state"))) != 1',
    to: 'subtle.ConstantTimeCompare(nil, nil) != 1',
    test: 'test/packages/languages/sign-in.test.ts',
  },
  {
    rule: 'the example for go ends the session that the browser had before',
    file: 'examples/go/wardenry.go',
    from: 'before != "" && before',
    to: 'before == "x" && before',
    test: 'test/packages/languages/sign-in.test.ts',
  },
  {
    rule: 'the example for php completes no sign-in with the state of another browser',
    file: 'examples/php/wardenry.php',
    from: 'is_string($given) && hash_equals($state, $given)',
    to: 'is_string($given)',
    test: 'test/packages/languages/sign-in.test.ts',
  },
  {
    rule: 'the example for php ends the session that the browser had before',
    file: 'examples/php/wardenry.php',
    from: 'if ($before !== null) send',
    to: 'if (false) send',
    test: 'test/packages/languages/sign-in.test.ts',
  },
]
