/** The few functions of jstat that we use; the package has no types of its own. */
declare module 'jstat' {
  const jstat: {
    readonly jStat: {
      readonly studentt: { inv(p: number, df: number): number; cdf(x: number, df: number): number };
      readonly noncentralt: { cdf(x: number, df: number, ncp: number): number };
      readonly normal: { cdf(x: number, mean: number, sd: number): number };
    };
  };
  export default jstat;
}
