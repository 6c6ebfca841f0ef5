/** A query of MariaDB and MySQL for rows whose only column `seq` has the numbers from 1 to `count`. */
export const numberRows = (count: number): string =>
  `SELECT seq FROM JSON_TABLE(CONCAT('[1', REPEAT(',1', ${count - 1}), ']'), '$[*]' COLUMNS (seq FOR ORDINALITY)) AS numbers`;
