/** A query of MariaDB and MySQL for rows whose only column `seq` has the numbers from `first` to `last`. */
export const numberRows = (first: number, last: number): string =>
  `SELECT n + ${first - 1} AS seq
   FROM JSON_TABLE(CONCAT('[1', REPEAT(',1', ${last - first}), ']'), '$[*]' COLUMNS (n FOR ORDINALITY)) AS numbers`;
