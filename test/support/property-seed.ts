import fc from 'fast-check';

// CI takes all or nothing: there the examples are the same each time. Chance looks for new ones on people's machines and in verify:long.
if (process.env.CI === 'true' && process.env.REVEILLE_LONG !== '1') fc.configureGlobal({ seed: 20_261_130 });
