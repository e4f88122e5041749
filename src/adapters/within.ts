/** On timeout, `work` continues, and `tidy` receives its late result. */
export async function within<Value>(limit: number, work: Promise<Value>, tidy?: (late: Value) => void): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const timeUp = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer within ${limit} ms`))
      work.then(tidy, () => {})
    }, limit)
  })
  try {
    return await Promise.race([work, timeUp])
  } finally {
    clearTimeout(timer)
  }
}
